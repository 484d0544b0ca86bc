// SPDX-License-Identifier: MIT OR Apache-2.0
//! Process topologies (MPI 5.0, chapter 8).

/// The rows of this chapter, handed to the macro `$with` after its own arguments.
#[macro_export]
macro_rules! table_topology {
    ($($with:ident)::+, $($head:tt)*) => { $($with)::+! { $($head)*
        Cart_coords(comm: Comm, rank: Rank, maxdims: Int, coords: OutInts[maxdims]) => absent;
        Cart_create(comm_old: Comm, ndims: Int, dims: Ints[ndims], periods: Ints[ndims], reorder: Flag, comm_cart: OutComm) => absent;
        Cart_get(comm: Comm, maxdims: Int, dims: OutInts[maxdims], periods: OutInts[maxdims], coords: OutInts[maxdims]) => absent;
        Cart_map(comm: Comm, ndims: Int, dims: Ints[ndims], periods: Ints[ndims], newrank: OutRank) => absent;
        Cart_rank(comm: Comm, coords: Ints[cart_dims(comm)], rank: OutRank) => absent;
        Cart_shift(comm: Comm, direction: Int, disp: Int, rank_source: OutRank, rank_dest: OutRank) => absent;
        Cart_sub(comm: Comm, remain_dims: Ints[cart_dims(comm)], newcomm: OutComm) => absent;
        Cartdim_get(comm: Comm, ndims: OutInt) => absent;
        Dims_create(nnodes: Int, ndims: Int, dims: InOutInts[ndims]) => absent;
        Dist_graph_create(comm_old: Comm, n: Int, sources: Ints[n], degrees: Ints[n], destinations: Ints[sum(&degrees)], weights: Weights[sum(&degrees)], info: Info, reorder: Flag, comm_dist_graph: OutComm) => absent;
        Dist_graph_create_adjacent(comm_old: Comm, indegree: Int, sources: Ints[indegree], sourceweights: Weights[indegree], outdegree: Int, destinations: Ints[outdegree], destweights: Weights[outdegree], info: Info, reorder: Flag, comm_dist_graph: OutComm) => absent;
        Dist_graph_neighbors(comm: Comm, maxindegree: Int, sources: OutRanks[maxindegree], sourceweights: OutWeights[maxindegree], maxoutdegree: Int, destinations: OutRanks[maxoutdegree], destweights: OutWeights[maxoutdegree]) => absent;
        Dist_graph_neighbors_count(comm: Comm, indegree: OutInt, outdegree: OutInt, weighted: OutFlag) => absent;
        Graph_create(comm_old: Comm, nnodes: Int, index: Ints[nnodes], edges: Ints[last(&index)], reorder: Flag, comm_graph: OutComm) => absent;
        Graph_get(comm: Comm, maxindex: Int, maxedges: Int, index: OutInts[maxindex], edges: OutInts[maxedges]) => absent;
        Graph_map(comm: Comm, nnodes: Int, index: Ints[nnodes], edges: Ints[last(&index)], newrank: OutRank) => absent;
        Graph_neighbors(comm: Comm, rank: Rank, maxneighbors: Int, neighbors: OutRanks[maxneighbors]) => absent;
        Graph_neighbors_count(comm: Comm, rank: Rank, nneighbors: OutInt) => absent;
        Graphdims_get(comm: Comm, nnodes: OutInt, nedges: OutInt) => absent;
        Topo_test(comm: Comm, status: OutTopology) => absent;
    } };
}

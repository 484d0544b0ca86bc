// SPDX-License-Identifier: MIT OR Apache-2.0
//! Process topologies (MPI 5.0, chapter 8).

/// The rows of this chapter, handed to the macro `$with` after its own arguments.
#[macro_export]
macro_rules! table_topology {
    ($($with:ident)::+, $($head:tt)*) => { $($with)::+! { $($head)*
        Cart_coords(comm: Comm, rank: Rank, maxdims: Int, coords: OutInts[maxdims]) => object::comm::topology::cart::coords;
        Cart_create(comm_old: Comm, ndims: Int, dims: Ints[ndims], periods: Ints[ndims], reorder: Flag, comm_cart: OutComm) => object::comm::topology::cart::create;
        Cart_get(comm: Comm, maxdims: Int, dims: OutInts[maxdims], periods: OutInts[maxdims], coords: OutInts[maxdims]) => object::comm::topology::cart::cart_get;
        Cart_map(comm: Comm, ndims: Int, dims: Ints[ndims], periods: Ints[ndims], newrank: OutRank) => object::comm::topology::cart::map;
        Cart_rank(comm: Comm, coords: Ints[cart_dims(comm)], rank: OutRank) => object::comm::topology::cart::rank;
        Cart_shift(comm: Comm, direction: Int, disp: Int, rank_source: OutRank, rank_dest: OutRank) => object::comm::topology::cart::shift;
        Cart_sub(comm: Comm, remain_dims: Ints[cart_dims(comm)], newcomm: OutComm) => object::comm::topology::cart::sub;
        Cartdim_get(comm: Comm, ndims: OutInt) => object::comm::topology::cart::dim_get;
        Dims_create(nnodes: Int, ndims: Int, dims: InOutInts[ndims]) => object::comm::topology::dims::dims_create;
        Dist_graph_create(comm_old: Comm, n: Int, sources: Ints[n], degrees: Ints[n], destinations: Ints[sum(&degrees)], weights: Weights[sum(&degrees)], info: Info, reorder: Flag, comm_dist_graph: OutComm) => object::comm::topology::dist_graph::create;
        Dist_graph_create_adjacent(comm_old: Comm, indegree: Int, sources: Ints[indegree], sourceweights: Weights[indegree], outdegree: Int, destinations: Ints[outdegree], destweights: Weights[outdegree], info: Info, reorder: Flag, comm_dist_graph: OutComm) => object::comm::topology::dist_graph::create_adjacent;
        Dist_graph_neighbors(comm: Comm, maxindegree: Int, sources: OutRanks[maxindegree], sourceweights: OutWeights[maxindegree], maxoutdegree: Int, destinations: OutRanks[maxoutdegree], destweights: OutWeights[maxoutdegree]) => object::comm::topology::dist_graph::neighbors;
        Dist_graph_neighbors_count(comm: Comm, indegree: OutInt, outdegree: OutInt, weighted: OutFlag) => object::comm::topology::dist_graph::neighbors_count;
        Graph_create(comm_old: Comm, nnodes: Int, index: Ints[nnodes], edges: Ints[last(&index)], reorder: Flag, comm_graph: OutComm) => object::comm::topology::graph::create;
        Graph_get(comm: Comm, maxindex: Int, maxedges: Int, index: OutInts[maxindex], edges: OutInts[maxedges]) => object::comm::topology::graph::graph_get;
        Graph_map(comm: Comm, nnodes: Int, index: Ints[nnodes], edges: Ints[last(&index)], newrank: OutRank) => object::comm::topology::graph::map;
        Graph_neighbors(comm: Comm, rank: Rank, maxneighbors: Int, neighbors: OutRanks[maxneighbors]) => object::comm::topology::graph::neighbors;
        Graph_neighbors_count(comm: Comm, rank: Rank, nneighbors: OutInt) => object::comm::topology::graph::neighbors_count;
        Graphdims_get(comm: Comm, nnodes: OutInt, nedges: OutInt) => object::comm::topology::graph::dims_get;
        Topo_test(comm: Comm, status: OutTopology) => object::comm::topology::topo_test;
    } };
}

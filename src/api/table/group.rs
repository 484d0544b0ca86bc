// SPDX-License-Identifier: MIT OR Apache-2.0
//! Groups (MPI 5.0, section 7.3).

/// The rows of this chapter, handed to the macro `$with` after its own arguments.
#[macro_export]
macro_rules! table_group {
    ($($with:ident)::+, $($head:tt)*) => { $($with)::+! { $($head)*
        Group_compare(group1: Group, group2: Group, result: OutComparison) => object::group::compare;
        Group_difference(group1: Group, group2: Group, newgroup: OutGroup) => object::group::set::difference;
        Group_excl(group: Group, n: Int, ranks: Ranks[n], newgroup: OutGroup) => object::group::pick::excl;
        Group_free(group: InOutGroup) => object::group::free, anytime;
        Group_incl(group: Group, n: Int, ranks: Ranks[n], newgroup: OutGroup) => object::group::pick::incl;
        Group_intersection(group1: Group, group2: Group, newgroup: OutGroup) => object::group::set::intersection;
        Group_range_excl(group: Group, n: Int, ranges: Ranges[3 * n], newgroup: OutGroup) => object::group::pick::range_excl;
        Group_range_incl(group: Group, n: Int, ranges: Ranges[3 * n], newgroup: OutGroup) => object::group::pick::range_incl;
        Group_rank(group: Group, rank: OutRank) => object::group::rank;
        Group_size(group: Group, size: OutInt) => object::group::size;
        Group_translate_ranks(group1: Group, n: Int, ranks1: Ranks[n], group2: Group, ranks2: OutRanks[n]) => object::group::translate_ranks;
        Group_union(group1: Group, group2: Group, newgroup: OutGroup) => object::group::set::union;
    } };
}

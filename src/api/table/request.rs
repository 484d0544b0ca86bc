// SPDX-License-Identifier: MIT OR Apache-2.0
//! Completion of operations, persistent starts, generalized requests, statuses (MPI 5.0, sections 3.7 to 3.9 and 13.2).

/// The rows of this chapter, handed to the macro `$with` after its own arguments.
#[macro_export]
macro_rules! table_request {
    ($($with:ident)::+, $($head:tt)*) => { $($with)::+! { $($head)*
        Cancel(request: InOutRequest) => absent;
        Grequest_complete(request: Request) => absent;
        Grequest_start(query_fn: QueryFn, free_fn: FreeFn, cancel_fn: CancelFn, extra_state: Pointer, request: OutRequest) => absent;
        Request_free(request: InOutRequest) => absent;
        Request_get_status(request: Request, flag: OutFlag, status: OutStatus) => absent;
        Start(request: InOutRequest) => absent;
        Startall(count: Length, array_of_requests: Requests[count]) => absent;
        Status_set_cancelled(status: InOutStatus, flag: Flag) => absent;
        Test(request: InOutRequest, flag: OutFlag, status: OutStatus) => absent;
        Test_cancelled(status: InStatus, flag: OutFlag) => absent;
        Testall(count: Length, array_of_requests: Requests[count], flag: OutFlag, array_of_statuses: OutStatuses[count]) => absent;
        Testany(count: Length, array_of_requests: Requests[count], index: OutInt, flag: OutFlag, status: OutStatus) => absent;
        Testsome(incount: Length, array_of_requests: Requests[incount], outcount: OutInt, array_of_indices: OutInts[incount], array_of_statuses: OutStatuses[incount]) => absent;
        Wait(request: InOutRequest, status: OutStatus) => absent;
        Waitall(count: Length, array_of_requests: Requests[count], array_of_statuses: OutStatuses[count]) => absent;
        Waitany(count: Length, array_of_requests: Requests[count], index: OutInt, status: OutStatus) => absent;
        Waitsome(incount: Length, array_of_requests: Requests[incount], outcount: OutInt, array_of_indices: OutInts[incount], array_of_statuses: OutStatuses[incount]) => absent;
    } };
}

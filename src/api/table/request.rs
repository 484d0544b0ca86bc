// SPDX-License-Identifier: MIT OR Apache-2.0
//! Completion of operations, persistent starts, generalized requests, statuses (MPI 5.0, sections 3.7 to 3.9 and 13.2).

/// The rows of this chapter, handed to the macro `$with` after its own arguments.
#[macro_export]
macro_rules! table_request {
    ($($with:ident)::+, $($head:tt)*) => { $($with)::+! { $($head)*
        Cancel(request: InOutRequest) => object::request::cancel;
        Grequest_complete(request: Request) => object::request::generalized::complete;
        Grequest_start(query_fn: QueryFn, free_fn: FreeFn, cancel_fn: CancelFn, extra_state: Pointer, request: OutRequest) => object::request::generalized::start;
        Request_free(request: InOutRequest) => object::request::free;
        Request_get_status(request: Request, flag: OutFlag, status: OutStatus) => object::request::complete::get_status;
        Start(request: InOutRequest) => object::request::start_persistent;
        Startall(count: Length, array_of_requests: Requests[count]) => object::request::start_all;
        Status_set_cancelled(status: InOutStatus, flag: Flag) => object::status::set_cancelled;
        Test(request: InOutRequest, flag: OutDone, status: OutStatus) => object::request::complete::test;
        Test_cancelled(status: InStatus, flag: OutFlag) => object::status::test_cancelled;
        Testall(count: Length, array_of_requests: Requests[count], flag: OutFlag, array_of_statuses: OutStatuses[count]) => object::request::complete::test_all;
        Testany(count: Length, array_of_requests: Requests[count], index: OutIndex, flag: OutDone, status: OutStatus) => object::request::complete::test_any;
        Testsome(incount: Length, array_of_requests: Requests[incount], outcount: OutInt, array_of_indices: OutInts[incount], array_of_statuses: OutStatuses[incount]) => object::request::complete::test_some;
        Wait(request: InOutRequest, status: OutStatus) => object::request::complete::wait;
        Waitall(count: Length, array_of_requests: Requests[count], array_of_statuses: OutStatuses[count]) => object::request::complete::wait_all;
        Waitany(count: Length, array_of_requests: Requests[count], index: OutIndex, status: OutStatus) => object::request::complete::wait_any;
        Waitsome(incount: Length, array_of_requests: Requests[incount], outcount: OutInt, array_of_indices: OutInts[incount], array_of_statuses: OutStatuses[incount]) => object::request::complete::wait_some;
    } };
}

/**
 * Another transaction recorded the same money between our read and our insert, claimed the request that we had chosen, or
 * used the same reference; or items of a batch stand in each other's way. The batch is rolled back and its items are
 * retried one by one, so that each sees what was committed.
 */
export class WriteConflict extends Error {}

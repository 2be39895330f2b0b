/**
 * Another transaction recorded the same money between our read and our insert, or claimed the request that we had chosen.
 * The batch is rolled back and its items are retried one by one, so that each sees what was committed.
 */
export class WriteConflict extends Error {}

/**
 * Another transaction recorded the same money between our read and our insert, claimed the request that we had chosen, or
 * used the same reference; or items of a batch stand in each other's way. The batch is rolled back and tried
 * again, so that it sees what was committed, and then in parts.
 */
export class WriteConflict extends Error {}

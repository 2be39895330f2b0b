/**
 * Another transaction recorded the same money between our look and our insert, or took the request that we had chosen.
 * The whole batch is given up and its items are tried again one by one, which then see what was committed.
 */
export class WriteConflict extends Error {}

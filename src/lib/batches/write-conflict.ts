/**
 * Conflict with another write. Another transaction recorded the same money between our read and our insert, claimed the
 * request that we had chosen, or used the same reference. Or items of a batch conflict with each other. The batch is
 * rolled back and tried again, so that it sees the committed data, and then in parts.
 */
export class WriteConflict extends Error {}

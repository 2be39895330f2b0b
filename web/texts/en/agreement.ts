/** English words have one form. */
export const agreement = {}

import { Invalid } from '../refusals.ts'

/** The refusal of a whole file, in words for the person who uploads it. */
export function fileError(message: string): Invalid {
  return new Invalid({ file: [message] })
}

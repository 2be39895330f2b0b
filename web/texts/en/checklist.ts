import { checklistTexts } from '../../../src/core/connections/checklist-texts.ts'

/** Sentences of the go-live checklist, shared with the command line. */
export const checklist = checklistTexts

import { checklistTexts } from '../../../src/core/connections/checklist-texts.ts'

/** The sentences of the go-live checklist: those of the command line. */
export const checklist = checklistTexts

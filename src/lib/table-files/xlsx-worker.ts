import writeWorkbook from 'write-excel-file/node'
import { answerQuestions } from '../workers/answer-questions.ts'
import type { Workbook } from './xlsx-file.ts'

/** The process that writes workbooks (xlsx-file.ts). A text stays a text, whatever it begins with. */
answerQuestions(({ sheets }: Workbook): Promise<Buffer> => writeWorkbook(sheets).toBuffer())

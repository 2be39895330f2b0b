import { parentPort, workerData } from 'node:worker_threads'
import writeWorkbook from 'write-excel-file/node'
import type { Workbook } from './xlsx-file.ts'

/** The thread that writes one workbook (xlsx-file.ts). A text stays a text, whatever it begins with. */
const { sheets } = workerData as Workbook
parentPort!.postMessage(await writeWorkbook(sheets).toBuffer())

import { threadId } from 'node:worker_threads'
import { answerQuestions } from '../../../src/lib/threads/answer-questions.ts'

/** Work as hostile files cause it. */
answerQuestions(async (question: 'answer' | 'hang' | 'eat' | 'fail' | 'crash' | 'who') => {
  if (question === 'who') return String(threadId)
  if (question === 'hang') for (;;) Math.random()
  if (question === 'eat') for (const eaten: unknown[] = []; ; ) eaten.push(Array.from({ length: 1_000 }, () => ({})))
  if (question === 'fail') throw new Error('It failed.')
  if (question === 'crash') setImmediate(() => process.exit(1))
  return question === 'crash' ? new Promise<string>(() => {}) : 'answered'
})

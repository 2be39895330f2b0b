import { answerQuestions } from '../../../src/lib/workers/answer-questions.ts'

/** Work as hostile files cause it. */
answerQuestions(
  async (question: 'answer' | 'hang' | 'eat' | 'gulp' | 'fail' | 'fail later' | 'crash' | 'who' | 'settings') => {
    if (question === 'who') return String(process.pid)
    if (question === 'settings') return Object.keys(process.env).join(' ')
    if (question === 'hang') for (;;) Math.random()
    if (question === 'eat') for (const eaten: unknown[] = []; ; ) eaten.push(Array.from({ length: 1_000 }, () => ({})))
    // A thread that takes memory so fast ends the whole program, in spite of its limit.
    if (question === 'gulp')
      for (const eaten: unknown[] = []; ; ) eaten.push(JSON.parse(`[${'[],'.repeat(2_000_000)}[]]`))
    if (question === 'fail') throw new Error('It failed.')
    if (question === 'fail later')
      setImmediate(() => {
        throw new Error('It failed later.')
      })
    if (question === 'crash') setImmediate(() => process.exit(1))
    return question === 'crash' || question === 'fail later' ? new Promise<string>(() => {}) : 'answered'
  },
)

import type { Reporter, TestModule } from 'vitest/node'

/** Say at the end of a run what its summary leaves out. */
export default class RunReport implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    say('Skipped here:', listSkipped(modules))
    say('Without a result, since their process ended before them:', listUnfinished(modules))
  }
}

function say(title: string, items: readonly string[]): void {
  const lines = [...new Set(items)].map((item) => ` - ${item}`)
  if (lines.length > 0) process.stdout.write(`\n${[title, ...lines].join('\n')}\n`)
}

/** Return what was skipped because this machine lacks something, in the words of the titles. */
function listSkipped(modules: readonly TestModule[]): string[] {
  const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')])
  return skipped.flatMap(({ fullName }) => fullName.split(' > ').find((title) => title.includes('skipped')) ?? [])
}

/** Return the tests, and the files of which no test began, that the end of a process has cut off. */
function listUnfinished(modules: readonly TestModule[]): string[] {
  return modules.flatMap((module) => {
    const tests = [...module.children.allTests('pending')].map(
      ({ fullName }) => `${module.relativeModuleId}: ${fullName}`,
    )
    const hasEnded = !['pending', 'queued'].includes(module.state())
    return tests.length > 0 || hasEnded ? tests : [module.relativeModuleId]
  })
}

import type { Reporter, TestModule } from 'vitest/node'

/** Say at the end of a run what was skipped because this machine lacks something, in the words of the titles. */
export default class SkipReasons implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')])
    const titles = skipped.flatMap(
      ({ fullName }) => fullName.split(' > ').find((title) => title.includes('skipped')) ?? [],
    )
    const lines = [...new Set(titles)].map((title) => ` - ${title}`)
    if (lines.length > 0) process.stdout.write(`\n${['Skipped here:', ...lines].join('\n')}\n`)
  }
}

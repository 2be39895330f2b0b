import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Begin with the files that are named slow: one that begins last runs alone in the end. Vitest itself knows what took long only
 * from the run before, and begins with the largest files else.
 */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rank = ({ moduleId }: TestSpecification) => Number(!moduleId.includes('.slow.'))
    return sorted.toSorted((one, other) => rank(one) - rank(other))
  }
}

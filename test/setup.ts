import { showFailures } from './failures.ts'

showFailures()

import { basename, dirname, join } from 'node:path'
import { findNode, IS_PACKAGE, PROGRAM_ROOT } from '../../program.ts'
import { VERSION } from '../../version.ts'

/** Place of a unit's program. */
export interface ProgramPlace {
  /** The working directory of the unit. */
  folder: string
  node: string
  /** The file that runs the command line, relative to the folder. */
  entry: string
  /** The commands that bring the program there; none if it is there already. */
  install: string[]
}

/** Permanent place for the program: the unit sees no home folders, and npx removes its downloads. */
const STABLE_FOLDER = '/opt/kusanya'
const FLEETING = /^\/(home|root|tmp|Users)\/|\/_npx\//

/** Return the place of this program, or the place to install it because the unit could not run it here. */
export function findProgramPlace(root = PROGRAM_ROOT, is_package = IS_PACKAGE): ProgramPlace {
  const is_stable = !FLEETING.test(`${root}/`)
  // npm has put the package into node_modules of the folder into which it was installed.
  const installed_in = is_package && basename(dirname(root)) === 'node_modules' ? dirname(dirname(root)) : root
  const folder = is_stable ? installed_in : STABLE_FOLDER
  return {
    folder,
    node: is_stable ? findNode() : join(folder, 'node_modules/.bin/node'),
    entry: is_package ? 'node_modules/kusanya/dist/cli/index.js' : 'src/cli/index.ts',
    install: is_stable ? [] : installCommands(root, is_package),
  }
}

function installCommands(root: string, is_package: boolean): string[] {
  if (is_package) return [`sudo npm install --prefix ${STABLE_FOLDER} --save-exact kusanya@${VERSION}`]
  return [`sudo git clone ${root} ${STABLE_FOLDER}`, `cd ${STABLE_FOLDER} && sudo npm ci && sudo npm run build`]
}

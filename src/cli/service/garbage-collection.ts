import { setFlagsFromString } from 'node:v8'

/**
 * Tells V8 to make every object young. Otherwise it notes which places in the program make objects that live long, and puts
 * what they make later into the old generation at once, where short-lived things stay, with all that they lead to, until
 * the next great collection. A service that does nothing but short things then spends its pauses on copying what nobody
 * needs (docs/performance.md, "What pauses cost").
 */
export function disablePretenuring(): void {
  setFlagsFromString('--no-allocation-site-pretenuring')
}

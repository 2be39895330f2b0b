import type { ServerResponse } from 'node:http'

/**
 * Makes a door that lets in so many requests at once. Each counts from when it enters until its answer has left or its
 * connection is gone. What is under way needs many turns of the event loop, and each turn takes in all who have come
 * meanwhile; without a limit a flood of newcomers would keep everybody from being answered.
 * @returns whether there was room.
 */
export function createCrowd(most: number): { enter(response: ServerResponse): boolean } {
  let inside = 0
  const leave = () => {
    inside -= 1
  }
  return {
    enter(response) {
      if (inside >= most) return false
      inside += 1
      response.once('close', leave)
      return true
    },
  }
}

import type { Edge } from './graph.ts'

const test = /\.test\.tsx?$|\/test-support\/|\/contract\//

/** Says whether an import is part of the running product: tests may look anywhere, and a worker is a program of its own. */
export function isProduct({ from, to, isSeparateProgram }: Edge): boolean {
  return !isSeparateProgram && !test.test(from) && !test.test(to)
}

import { rmSync, writeFileSync } from 'node:fs'
import type { SharedBytes } from '@tollgate/http/server'

const budgets = ['requests', 'responses'] as const
/** A budget of bytes that the workers of a machine share. */
export type Budget = (typeof budgets)[number]

/** Numbers beside those of the workers: for one that replaces another, and one that was started again meanwhile. */
export const spareNumbers = 2

/**
 * A page of memory in which each worker writes how many bytes it has taken, and reads what the others have: one number for each worker and
 * budget, which that worker alone writes. Two that take at the same moment may pass a limit by one body.
 */
export class BytesPage {
  readonly #numbers: Float64Array
  readonly #width: number

  /**
   * @param file of `createBytesPage`
   * @param workers of the machine
   */
  constructor(file: string, workers: number) {
    const page = Bun.mmap(file, { shared: true })
    this.#width = widthOf(workers)
    this.#numbers = new Float64Array(page.buffer, page.byteOffset, budgets.length * this.#width)
  }

  of(budget: Budget, worker: number): SharedBytes {
    const numbers = this.#numbers
    const first = budgets.indexOf(budget) * this.#width
    const [end, own] = [first + this.#width, first + worker]
    return {
      others() {
        let sum = 0
        for (let index = first; index < end; index += 1) if (index !== own) sum += numbers[index] ?? 0
        return sum
      },
      taken(bytes) {
        numbers[own] = bytes
      },
    }
  }

  /** A worker that has ended has nothing any more, however it ended. */
  clear(worker: number): void {
    for (const budget of budgets) this.of(budget, worker).taken(0)
  }
}

/** Makes the page anew: what a former machine has of it stays apart. */
export function createBytesPage(file: string, workers: number): BytesPage {
  rmSync(file, { force: true })
  writeFileSync(file, new Float64Array(budgets.length * widthOf(workers)))
  return new BytesPage(file, workers)
}

/** Numbers of workers begin at 1. */
function widthOf(workers: number): number {
  return 1 + workers + spareNumbers
}

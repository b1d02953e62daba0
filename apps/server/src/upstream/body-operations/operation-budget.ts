import { isObject } from '@tollgate/formats'
import type { BodyOperation } from './operation.ts'

/**
 * Bytes by which operations may extend a request: far more than an operator's prompt, and less than one account's share of memory. A
 * few copies of a thing into itself double a request without end.
 */
export const maxGrowthBytes = 16 * 1024 * 1024
/** Bytes that the operations of one request may read and write together: some tens of milliseconds. */
const maxWorkBytes = 64 * 1024 * 1024
/** Bytes that a step to a member costs beside its text. */
const memberBytes = 8

/** An operation takes more than the operations of a request may. */
export class OperationBudgetError extends Error {
  override readonly name = 'OperationBudgetError'
  /** Counted from 1. */
  readonly number: number
  readonly mode: BodyOperation['mode']

  constructor(number: number, mode: BodyOperation['mode']) {
    super(`operation ${number} (${mode}) takes more than the operations of a request may`)
    this.number = number
    this.mode = mode
  }
}

/** Budget of one request's operations. Each operation is counted before it is done. */
export class OperationBudget {
  readonly #sizes = new WeakMap<object, number>()
  #number = 0
  #mode: BodyOperation['mode'] = 'set'
  #workLeft = maxWorkBytes
  #growthLeft = maxGrowthBytes

  /** Begins the next operation of the list. */
  begin({ mode }: BodyOperation): void {
    this.#number += 1
    this.#mode = mode
  }

  /** Counts text that is about to be read or written. @throws OperationBudgetError */
  work(bytes: number): void {
    this.#workLeft -= bytes
    this.#refuseExceeded()
  }

  /** Counts the bytes by which the request is about to get longer; or shorter. @throws OperationBudgetError */
  grow(bytes: number): void {
    this.#growthLeft -= bytes
    this.work(Math.max(0, bytes))
  }

  /** Roughly how many bytes a value has as JSON. A part that is in several places costs one look, and counts in each. */
  sizeOf(value: unknown): number {
    if (typeof value === 'string') return value.length + 2
    if (typeof value !== 'object' || value === null) return memberBytes
    const known = this.#sizes.get(value)
    if (known !== undefined) return known
    const size = this.#sizeOfMembers(value)
    this.#sizes.set(value, size)
    return size
  }

  #sizeOfMembers(value: object): number {
    let size = 2
    if (Array.isArray(value)) for (const item of value) size += 1 + this.sizeOf(item)
    else if (isObject(value))
      for (const [key, member] of Object.entries(value)) size += key.length + 4 + this.sizeOf(member)
    return size
  }

  /** Counts the copies of the containers on a path, which an edit below them makes. @throws OperationBudgetError */
  pass(value: unknown, path: readonly string[]): void {
    let at = value
    for (const segment of path) {
      if (Array.isArray(at)) {
        this.work(at.length * memberBytes)
        at = at.at(Number(segment))
      } else if (isObject(at)) {
        this.work(Object.keys(at).length * memberBytes)
        at = Object.hasOwn(at, segment) ? at[segment] : undefined
      } else return
    }
  }

  #refuseExceeded(): void {
    if (this.#workLeft < 0 || this.#growthLeft < 0) throw new OperationBudgetError(this.#number, this.#mode)
  }
}

import { describe, expect, it } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { contractCalls } from '../../packages/api/src/test-support/call-of.ts'
import { callsForOthers, unseenCalls } from '../support/console/calls-of-pages.ts'
import { sentCallsFile } from '../support/console/sent-calls.ts'

/** Runs after the browser suites of a whole run, which write down what their pages called. */
const file = process.env[sentCallsFile] ?? ''
const made = new Set(existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [])

const others = new Set(['signature', 'relay-key'])
const exceptions = { ...callsForOthers, ...unseenCalls }

describe.skipIf(made.size === 0)('every call of the contract', () => {
  it('was made by a page, or is not for the console', () => {
    const missing = contractCalls
      .filter(({ name, call }) => !made.has(name) && !others.has(call.access) && !(name in exceptions))
      .map(({ name }) => name)
    expect(missing).toEqual([])
  })

  // A call that no suite has to see is made in some runs: a page that a test leaves may ask for it just before.
  it('is not for others when a page makes it', () => {
    expect(Object.keys(callsForOthers).filter((name) => made.has(name))).toEqual([])
  })
})

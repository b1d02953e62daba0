import { describe, expect, it } from 'bun:test'
import { contractCalls } from '../../../packages/api/src/test-support/call-of.ts'
import { callsForOthers, callsInSources, unseenCalls } from './calls-of-pages.ts'

const inSources = await callsInSources()
const forPrograms = new Set(['signature', 'relay-key'])

describe('every call of the contract', () => {
  it('is in the sources of the console, or in the list of those that others make', () => {
    const missing = contractCalls
      .filter(({ name, call }) => !inSources.has(name) && !forPrograms.has(call.access))
      .map(({ name }) => name)
    expect(missing.toSorted()).toEqual(Object.keys(callsForOthers).toSorted())
  })

  it('is excepted from the walks of the pages only where a page makes it', () => {
    expect(Object.keys(unseenCalls).filter((name) => !inSources.has(name))).toEqual([])
  })
})

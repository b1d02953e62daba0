import '../../test-support/dom.ts'
import { afterEach, describe, expect, it } from 'bun:test'
import { refusals, refuseStorage, reportOtherTab } from '../../test-support/refusing-storage.ts'
import { dropUnstored, readLocal, writeLocal } from './local-store.ts'

afterEach(() => {
  localStorage.clear()
  reportOtherTab()
})

describe.each(refusals)('a value where storage is %s', (refusal) => {
  it('is the last one written, as long as the page', () => {
    localStorage.setItem('theme-mode', 'light')
    const end = refuseStorage(refusal)
    writeLocal('theme-mode', 'dark')
    const text = readLocal('theme-mode')
    writeLocal('theme-mode', null)
    const none = readLocal('theme-mode')
    end()
    expect([text, none]).toEqual(['dark', null])
  })

  it('gives way to one that another tab stores, and to the next that is stored here', () => {
    localStorage.setItem('theme-mode', 'light')
    const end = refuseStorage(refusal)
    writeLocal('theme-mode', 'dark')
    writeLocal('page-size', '20')
    end()
    reportOtherTab('theme-mode')
    expect(readLocal('theme-mode')).toBe('light')
    expect(readLocal('page-size')).toBe('20')
    writeLocal('page-size', '50')
    dropUnstored('page-size')
    expect(readLocal('page-size')).toBe('50')
  })
})

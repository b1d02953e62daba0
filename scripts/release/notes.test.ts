import { describe, expect, it } from 'bun:test'
import { notesOf } from './notes.ts'

const changelog = `# Changelog

## [Unreleased]

- later

## [1.2.0] - 2026-12-01

### Added

- A thing.

## [1.1.0] - 2026-11-01

## [1.0.0] - 2026-10-01
- First.
`

describe('release notes', () => {
  it('are what the changelog says of the version', () => {
    expect(notesOf(changelog, '1.2.0')).toBe('### Added\n\n- A thing.\n')
    expect(notesOf(changelog, '1.0.0')).toBe('- First.\n')
  })

  it('are refused for a version that is not there, or of which nothing is said', () => {
    expect(() => notesOf(changelog, '1.3.0')).toThrow('CHANGELOG.md has no section [1.3.0]')
    expect(() => notesOf(changelog, '1.2')).toThrow('no section')
    expect(() => notesOf(changelog, '1.1.0')).toThrow('says nothing about 1.1.0')
  })
})

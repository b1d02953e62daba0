import { describe, expect, it } from 'bun:test'
import { causeOf } from './command-error.mjs'

describe('causeOf', () => {
  const meanings = [
    ['npm error code ENOTFOUND\nnpm error network request failed', 'the package registry cannot be reached'],
    ['error: ConnectionRefused downloading tarball', 'the package registry cannot be reached'],
    ['npm error code ENOSPC\nnpm error syscall write', 'the disk is full'],
    ['EROFS: read-only file system, open', 'the folder is on a read-only file system'],
    ['npm error code EBADPLATFORM', 'Bun has no build for'],
    ['error: lockfile had changes, but lockfile is frozen', 'bun.lock does not match'],
  ] as const
  for (const [output, meaning] of meanings) {
    it(`says "${meaning}"`, () => expect(causeOf(output)).toStartWith(meaning))
  }

  it('else takes the first line that reports a failure, without colours and echoes', () => {
    const output =
      'vite 8\n\u001b[31merror during build:\u001b[0m\n\u001b[31mCould not resolve "./x"\u001b[0m\nexited with code 1'
    expect(causeOf(output)).toBe('Could not resolve "./x"')
  })

  it('never returns an empty message', () => {
    expect(causeOf('')).toBe('it said nothing')
  })
})

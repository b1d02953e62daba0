import { dlopen, type FFIFunction, type Library } from 'bun:ffi'

/** The C library of glibc, and of musl. */
const names = ['libc.so.6', `libc.musl-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}.so.1`]

/** Opens the C library of this system; `undefined` where there is none that has these functions. */
export function openCLibrary<Functions extends Record<string, FFIFunction>>(
  functions: Functions,
): Library<Functions> | undefined {
  for (const name of names) {
    try {
      return dlopen(name, functions)
    } catch {
      // The other one.
    }
  }
  return undefined
}

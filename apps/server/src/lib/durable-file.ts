import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { giveToFolderOwner } from './service/data-owner.ts'

const ownerOnly = 0o600

/** Creates a file that survives a power cut once this returns. Throws `EEXIST` when there is one already. */
export function createDurableFile(path: string, text: string): void {
  writeAndSync(path, text, 'wx')
  syncDirectory(dirname(path))
}

/** Replaces a file: after a crash or a power cut it has its old text, or all of `text`. */
export function replaceDurableFile(path: string, text: string): void {
  const aside = `${path}.new`
  writeAndSync(aside, text, 'w')
  renameSync(aside, path)
  syncDirectory(dirname(path))
}

/** Makes a file that somebody else wrote survive a power cut. */
export function syncFile(path: string): void {
  const descriptor = openSync(path, 'r+')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Makes the names in a directory survive a power cut: syncing a file does not. */
export function syncDirectory(directory: string): void {
  // Windows opens no directories, and does not need this.
  if (process.platform === 'win32') return
  const descriptor = openSync(directory, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function writeAndSync(path: string, text: string, flag: 'w' | 'wx'): void {
  const descriptor = openSync(path, flag, ownerOnly)
  giveToFolderOwner(descriptor, path)
  try {
    writeSync(descriptor, text)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

import { createHash } from 'node:crypto'
import { createReadStream, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError, causeOf } from '../lib/command-error.mjs'
import { at } from '../lib/root.mjs'
import { run } from '../lib/run.mjs'
import { buildBinary, type Target } from '../ship/binaries.ts'
import { bundledPackages } from '../ship/bundled-packages.ts'
import { noticesOf } from '../ship/notices.ts'
import { noticesFile, packNpmPackage } from '../ship/npm-package.ts'
import type { Say } from '../ship/say.ts'
import { notesOf } from './notes.ts'
import { sbomOf } from './sbom.ts'

export interface ReleaseOptions {
  readonly version: string
  readonly changelog: string
  readonly targets: readonly Target[]
  /** Folder of the files; it is emptied first. */
  readonly folder: string
  /** Private key of OpenSSH that signs the checksums; without one they are not signed. */
  readonly key: string | undefined
  readonly say: Say
}

export const checksumsFile = 'SHA256SUMS'
/** Purpose of the signature (`ssh-keygen -Y verify -n`). */
export const signatureNamespace = 'tollgate-release'

/** Builds every file of a release: executables, npm package, notices, SBOM, notes, checksums and their signature. */
export async function buildRelease(options: ReleaseOptions): Promise<void> {
  const { version, changelog, targets, folder, key, say } = options
  const notes = notesOf(changelog, version)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const target of targets) await buildBinary(target, folder, say)
  await packNpmPackage(folder, say)
  const packages = bundledPackages()
  writeFileSync(join(folder, noticesFile), noticesOf(packages))
  writeFileSync(join(folder, 'sbom.cdx.json'), `${sbomOf(version, packages)}\n`)
  writeFileSync(join(folder, 'RELEASE-NOTES.md'), notes)
  writeFileSync(join(folder, checksumsFile), await checksumsIn(folder))
  if (key !== undefined) await sign(join(folder, checksumsFile), key)
}

/** Writes checksums in the form of `sha256sum`, which checks them. */
async function checksumsIn(folder: string): Promise<string> {
  const lines: string[] = []
  for (const name of readdirSync(folder).sort())
    lines.push(`${await sha256Of(join(folder, name))}  ${name}\n`)
  return lines.join('')
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(file)) hash.update(piece)
  return hash.digest('hex')
}

/** Writes the signature beside the file, with `.sig` at its name. */
async function sign(file: string, key: string): Promise<void> {
  const { code, output } = await run('ssh-keygen', ['-Y', 'sign', '-f', key, '-n', signatureNamespace, file])
  if (code !== 0) throw new CommandError(`the checksums could not be signed: ${causeOf(output)}`)
}

/** The version that all manifests of the repository name. Throws where they differ. */
export function releasedVersion(): string {
  const version = versionOf('package.json')
  const parts = ['apps', 'packages'].flatMap((folder) =>
    readdirSync(at(folder)).map((name) => join(folder, name, 'package.json')),
  )
  const other = parts.find((path) => versionOf(path) !== version)
  if (other !== undefined) throw new CommandError(`${other} names another version than package.json`)
  const chart = readFileSync(at('deploy', 'helm', 'tollgate', 'Chart.yaml'), 'utf8')
  if (!chart.includes(`appVersion: "${version}"`))
    throw new CommandError('appVersion of the Helm chart is another version than package.json')
  return version
}

function versionOf(path: string): string {
  return (JSON.parse(readFileSync(at(path), 'utf8')) as { readonly version: string }).version
}

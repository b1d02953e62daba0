import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deadline } from '../../../../scripts/deadline/deadline.mjs'
import {
  buildRelease,
  checksumsFile,
  releasedVersion,
  signatureNamespace,
} from '../../../../scripts/release/release.ts'
import { ownTarget, type Target } from '../../../../scripts/ship/binaries.ts'
import { openFolder } from '../../../support/shipped.ts'

setDefaultTimeout(deadline(120_000))

const target = ownTarget()
const position = openFolder()
const folder = join(position.path, 'release')
const key = join(position.path, 'key')
const version = releasedVersion()

const read = (name: string) => readFileSync(join(folder, name), 'utf8')
const run = (command: readonly string[], stdin = '') =>
  Bun.spawnSync([...command], { cwd: folder, stdin: Buffer.from(stdin), stdout: 'pipe', stderr: 'pipe' })

describe.skipIf(target === undefined || Bun.which('ssh-keygen') === null)('a release', () => {
  beforeAll(async () => {
    Bun.spawnSync(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', key])
    const changelog = `## [${version}] - 2026-12-01\n\n- It can be released.\n`
    const targets = [target as Target]
    await buildRelease({ version, changelog, targets, folder, key, say: () => {} })
  })
  afterAll(position.remove)

  it('has executable, package, notices, SBOM, notes, checksums and signature', () => {
    expect(readdirSync(folder).sort()).toEqual(
      [
        'RELEASE-NOTES.md',
        checksumsFile,
        `${checksumsFile}.sig`,
        'THIRD-PARTY-NOTICES.txt',
        'sbom.cdx.json',
        `tollgate-${target}`,
        `tollgate-${version}.tgz`,
      ].sort(),
    )
    expect(read('RELEASE-NOTES.md')).toBe('- It can be released.\n')
    const stated = run([join(folder, `tollgate-${target}`), '--version'])
    expect(stated.stdout.toString()).toBe(`${version}\n`)
  })

  it('is checked by sha256sum and ssh-keygen, which find a change', () => {
    expect(run(['sha256sum', '--check', '--strict', checksumsFile]).exitCode).toBe(0)
    const signers = join(position.path, 'signers')
    writeFileSync(signers, `release@tollgate.example ${readFileSync(`${key}.pub`, 'utf8')}`)
    const verify = (text: string) =>
      run(
        [
          'ssh-keygen',
          '-Y',
          'verify',
          '-f',
          signers,
          '-I',
          'release@tollgate.example',
          '-n',
          signatureNamespace,
          '-s',
          `${checksumsFile}.sig`,
        ],
        text,
      ).exitCode
    expect(verify(read(checksumsFile))).toBe(0)
    expect(verify(read(checksumsFile).replace(/^./, (digit) => (digit === '0' ? '1' : '0')))).not.toBe(0)
  })

  it('names what is inside, each with its version and licence', () => {
    const sbom = JSON.parse(read('sbom.cdx.json'))
    expect(sbom).toMatchObject({
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      metadata: { component: { name: 'tollgate', version } },
    })
    const names = sbom.components.map(({ group, name }: { group?: string; name: string }) =>
      group ? `${group}/${name}` : name,
    )
    for (const name of ['bun', 'react', 'hono', 'kysely']) expect(names).toContain(name)
    for (const component of sbom.components) expect(component.licenses?.length).toBeGreaterThan(0)
    expect(sbom.dependencies.length).toBeGreaterThan(10)
  })
})

import { describe, expect, it } from 'bun:test'
import { z } from 'zod'
import type { Call } from './call.ts'
import { calls } from './calls/index.ts'
import {
  acts,
  alwaysAsksForProof,
  callsWithoutProof,
  optionsWithoutProof,
  proofConditionOf,
} from './recent-proof.ts'
import { isSecretField } from './secret-fields.ts'
import { settingCatalogue } from './settings/catalogue/index.ts'

const table: readonly Call[] = Object.values(calls).flatMap((room) => Object.values<Call>(room))
const nameOf = ({ method, path }: Call) => `${method} ${path}`
const named = (holds: (call: Call) => boolean) => table.filter(holds).map(nameOf)

describe('every call of the table', () => {
  it('asks for a recent proof, or says why not in a word of the list', () => {
    const words = Object.keys(callsWithoutProof)
    const reasonless = ({ recentProof }: Call) =>
      typeof recentProof === 'string' && !words.includes(recentProof)
    expect(named(reasonless)).toEqual([])
    expect(named((call) => proofConditionOf(call) !== undefined).length).toBeGreaterThan(30)
  })

  it('gives a reason that its access allows', () => {
    const allowed: Record<string, readonly Call['access'][]> = {
      reads: ['public', 'user', 'admin', 'root', 'relay-key'],
      proves: ['public', 'user'],
      signed: ['signature'],
      withdraws: ['public', 'user', 'admin', 'root'],
      uses: ['user'],
      operates: ['admin', 'root'],
    }
    const isWrong = ({ recentProof, access }: Call) =>
      typeof recentProof === 'string' && allowed[recentProof]?.includes(access) !== true
    expect(named(isWrong)).toEqual([])
    expect(named(({ access, recentProof }) => access === 'signature' && recentProof !== 'signed')).toEqual([])
  })

  it('acts when it stores, takes away or replaces, but for what a body only asks', () => {
    expect(named((call) => call.method !== 'GET' && !acts(call)).toSorted()).toEqual([
      'POST /api/channel/batch/preview',
      'POST /api/channel/stops',
      'POST /api/correction/preview',
      'POST /api/invitation/look',
      'POST /api/key/find',
      'POST /api/models/rename/preview',
      'POST /api/pricing/job',
      'POST /api/route/what_if',
      'POST /api/token/find',
      'POST /api/user/amount',
      'POST /api/user/closed_identities',
      'POST /api/user/many/preview',
    ])
  })

  it('acts when it sends rows of others as a file: the audit log has who took it along', () => {
    const isOfOthers = ({ access }: Call) => access === 'admin' || access === 'root'
    const files = table.filter(
      (call) => ['stream', 'bytes'].includes(call.response ?? '') && isOfOthers(call),
    )
    expect(files.filter((call) => !acts(call)).map(nameOf)).toEqual([])
    expect(files.length).toBeGreaterThan(6)
  })

  it('marks each text that is named like a secret, or is listed here with what it is', () => {
    const found = table.flatMap((call) =>
      fieldsOf(call.data)
        .filter(({ name, schema }) => secretName.test(name) && isText(schema) && !isSecretField(schema))
        .map(({ name }) => name),
    )
    expect([...new Set(found)].toSorted()).toEqual(Object.keys(notSecret).toSorted())
  })

  it('returns a secret of others, or a way into an account, only with a proof', () => {
    const shows = (call: Call) => fieldsOf(call.data).some(({ schema }) => isSecretField(schema))
    const isOpen = (call: Call) => shows(call) && acts(call) && !alwaysAsksForProof(call)
    expect(named(isOpen).toSorted()).toEqual(
      [
        // Codes and keys that the caller just made or owns; the mailed link proves the person who resets.
        'POST /api/redemption/',
        // Links to charges that the caller reads: they open no account.
        'POST /api/log/link',
        'POST /api/log/self/link',
        'POST /api/token/',
        'POST /api/token/:id/rotate',
        'POST /api/token/keys',
        'POST /api/token/batch/keys',
        'POST /api/token/:id/key',
        'POST /api/user/reset',
        'PUT /api/redemption/',
        'PUT /api/token/',
      ].toSorted(),
    )
  })
})

describe('every option of the catalogue', () => {
  const options = Object.entries(settingCatalogue)

  it('asks for a recent proof, or says why not in a word of the list', () => {
    const words: readonly unknown[] = [true, ...Object.keys(optionsWithoutProof)]
    expect(options.filter(([, { recentProof }]) => !words.includes(recentProof))).toEqual([])
  })

  it('asks for it where it is a secret, or root’s alone', () => {
    // What moves money is root's too, and leads to no account.
    const isRoots = ({ write, movesMoney }: (typeof options)[number][1]) => write === 'root' && !movesMoney
    const guarded = options.filter(([, option]) => option.control.kind === 'secret' || isRoots(option))
    const open = guarded.filter(([, { recentProof }]) => recentProof !== true && recentProof !== 'unused')
    expect(open.map(([key]) => key)).toEqual([])
    expect(guarded.length).toBeGreaterThan(60)
  })
})

const secretName = /key|secret|token|password|code|credential|recovery|proxy/i

/** Fields whose name is like a secret's. */
const notSecret: Readonly<Record<string, string>> = {
  aff_code: 'invites others',
  code: 'of a refusal',
  key: 'of an option: its name',
  last_failure_code: 'of a failure',
  reason_code: 'of a failure',
  status_code_mapping: 'of HTTP statuses',
  token_endpoint: 'an address of a provider',
  token_name: 'what its owner calls it',
  turnstile_site_key: 'for every browser',
  untrusted_proxy: 'an address',
  wechat_qrcode: 'an address',
}

interface NamedField {
  readonly name: string
  readonly schema: z.core.$ZodType
}

/** Every field of a response, at any depth; a list or a text by itself has the name `data`. */
function fieldsOf(schema: z.core.$ZodType | undefined, name = 'data'): readonly NamedField[] {
  if (schema === undefined) return []
  if (schema instanceof z.ZodObject)
    return Object.entries<z.core.$ZodType>(schema.shape).flatMap(([key, field]) => fieldsOf(field, key))
  if (schema instanceof z.ZodArray) return fieldsOf(schema.element, name)
  if (schema instanceof z.ZodRecord) return fieldsOf(schema.valueType, name)
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => fieldsOf(option, name))
  const isWrapped =
    schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodReadonly
  return isWrapped ? fieldsOf(schema.unwrap(), name) : [{ name, schema }]
}

function isText(schema: z.core.$ZodType): boolean {
  return schema instanceof z.ZodString
}

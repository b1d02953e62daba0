import { z } from 'zod'
import { consentFields, consentQuery } from '../consent.ts'
import { emptyData } from '../wire.ts'
import { get, post, put } from './define.ts'

/** An option for reading. */
export const optionRow = z.object({
  key: z.string(),
  /** Always text; empty for secrets, which are never read back. */
  value: z.string(),
  /** Set for a secret that is stored; absent for other options. */
  is_set: z.boolean().optional(),
})
/** An option with its stored text; secrets are left out. */
export type OptionRow = z.output<typeof optionRow>

/** Values are text on the wire; booleans and numbers are accepted and read as their text. */
const optionText = z.union([z.string(), z.boolean(), z.number()])

/** A change of one option. */
export const optionBody = z.object({
  key: z.string().min(1).max(200),
  /** Absent, nothing changes. For a secret an empty one means the same. */
  value: optionText.optional().transform((value) => value?.toString()),
  /** The entries of a map that change, instead of the whole of it; null removes one. */
  entries: z.record(z.string(), z.unknown()).optional(),
  /**
   * The value that the change was made on. Entries of a map and of a list that others changed since stay; what both changed is
   * refused with `edit_conflict`. Without it the value is written as it is.
   */
  base: optionText.transform(String).optional(),
  /** Restores the default instead of a value. The one way to remove a secret. */
  clear: z.boolean().optional(),
})

/** More than the catalogue has options. */
const maxChanges = 500

/** Several changes: all of them are made, or none. A switch may come with its requirement. */
export const optionsBody = z.object({
  options: z.array(optionBody).min(1).max(maxChanges),
  ...consentFields,
})

/** Addresses of an OpenID provider, as its well-known document names them; empty where it names none. */
export const oidcDocument = z.object({
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  userinfo_endpoint: z.string(),
})
export type OidcDocument = z.output<typeof oidcDocument>

/** Calls of options; the settings catalogue decides per key which options a caller sees and may write. */
export const options = {
  list: get('admin', '/api/option/', {
    part: 'any',
    recentProof: 'reads',
    data: z.array(optionRow),
  }),
  /** Refused with `confirmation_required` where the change has consequences that are asked about first. */
  set: put('admin', '/api/option/', {
    part: ['settings', 'prices', 'money', 'log'],
    recentProof: { byOption: true },
    body: optionBody.extend(consentFields),
    data: emptyData,
  }),
  setMany: put('admin', '/api/option/batch', {
    part: ['settings', 'prices', 'money', 'log'],
    recentProof: { byOption: true },
    body: optionsBody,
    data: emptyData,
  }),
  /** Restores the model ratios of this version; needs the role that may write them. */
  resetModelRatio: post('admin', '/api/option/rest_model_ratio', {
    part: 'prices',
    recentProof: 'operates',
    query: consentQuery,
    data: emptyData,
  }),
  /** Reads the reason for which the last mail could not be sent; null after a sent one, and before the first. */
  mailState: get('root', '/api/option/mail', {
    recentProof: 'reads',
    data: z.object({ last_failure: z.object({ at: z.number().int(), reason: z.string() }).nullable() }),
  }),
  /**
   * Sends a mail to try the saved settings; without an address to that of the account. The refusal has the mail
   * server's words.
   */
  testMail: post('root', '/api/option/mail', {
    recentProof: 'operates',
    body: z.object({ to: z.string().max(320).default('') }),
    data: emptyData,
  }),
  /** Reads the document at this http(s) address. Root chooses it, so it may be in a private network. Saves nothing. */
  readOidcDocument: post('root', '/api/option/oidc_document', {
    recentProof: 'operates',
    body: z.object({ url: z.string().max(2048) }),
    data: oidcDocument,
  }),
}

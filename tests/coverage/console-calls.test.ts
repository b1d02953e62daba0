import { describe, expect, it } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { contractCalls } from '../../packages/api/src/test-support/call-of.ts'
import { sentCallsFile } from '../support/console/sent-calls.ts'

/** Runs after the browser suites of a whole run, which write down what their pages called. */
const file = process.env[sentCallsFile] ?? ''
const made = new Set(existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [])

const sameByPost = 'the console makes the GET of the specification'
const ofOtherConsoles = 'for programs and consoles of related gateways'
const overTooSoon = 'stops what is over in a moment on the data of a test'

/** Calls that no page of the suites makes, each with the reason. */
const forOthers: Readonly<Record<string, string>> = {
  'status.test': 'for monitoring',
  'accounts.createAccessToken': sameByPost,
  'accounts.inviteCode': 'every account is opened with a code; asked for where one has none',
  'oauth.githubPost': sameByPost,
  'oauth.oidcPost': sameByPost,
  'oauth.linuxdoPost': sameByPost,
  'oauth.wechatPost': sameByPost,
  'oauth.wechatBindPost': sameByPost,
  'oauth.emailBindPost': sameByPost,
  'oauth.telegramLoginPost': sameByPost,
  'oauth.telegramBind':
    'answers by sending the browser on, for the provider’s own widget; the console makes the POST',
  'channels.tagMany': 'for programs; the console changes several fields of many channels in one call',
  'channels.fetchModels': 'for programs; the console asks with what its form says',
  'users.publicGroups': 'for programs; the console has the groups of the session',
  'options.setMany': 'for programs; the console saves one option a call',
  'logs.search': 'for older consoles; the log filters instead',
  'logs.searchSelf': 'for older consoles; the log filters instead',
  'users.modelsOfGroup': ofOtherConsoles,
  'tokens.revealOne': ofOtherConsoles,
  'tokens.revealBatch': ofOtherConsoles,
  'wallet.ordersSelf': ofOtherConsoles,
  'installation.export':
    'the browser sends the download without a request of the page; pages/settings saves its file',
  'userAdmin.closedIdentities': 'for programs that have the list of an identity provider',
  'userAdmin.delete': 'for programs; the console deregisters by manage',
  'channels.cancelBalances': overTooSoon,
  'logs.cancelClear': overTooSoon,
}

const others = new Set(['signature', 'relay-key'])

describe.skipIf(made.size === 0)('every call of the contract', () => {
  it('was made by a page, or is not for the console', () => {
    const missing = contractCalls
      .filter(({ name, call }) => !made.has(name) && !others.has(call.access) && !(name in forOthers))
      .map(({ name }) => name)
    expect(missing).toEqual([])
  })

  it('is not excepted when a page makes it', () => {
    expect(Object.keys(forOthers).filter((name) => made.has(name))).toEqual([])
  })
})

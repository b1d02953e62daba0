import { readSources } from '../../../scripts/boundaries/sources.ts'

const sameByPost = 'the console makes the GET of the specification'
const ofOtherConsoles = 'for programs and consoles of related gateways'
const overTooSoon = 'stops what is over in a moment on the data of a test'

/** Calls that the sources of the console do not name, each with the reason. */
export const callsForOthers: Readonly<Record<string, string>> = {
  'status.test': 'for monitoring',
  'accounts.createAccessToken': sameByPost,
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
  'userAdmin.closedIdentities': 'for programs that have the list of an identity provider',
  'userAdmin.delete': 'for programs; the console deregisters by manage',
}

/** Calls that a page makes where no suite sees it, each with the reason. */
export const unseenCalls: Readonly<Record<string, string>> = {
  'accounts.inviteCode': 'every account is opened with a code; asked for where one has none',
  'installation.export':
    'the browser sends the download without a request of the page; pages/settings saves its file',
  'statusPage.feed': 'a link of the status page, which feed readers follow; console/health reads it',
  'channels.cancelBalances': overTooSoon,
  'logs.cancelClear': overTooSoon,
}

/** Reads the names of the calls, such as `tokens.create`, that the sources of the console have: every page takes a call from the contract by its name. */
export async function callsInSources(): Promise<ReadonlySet<string>> {
  const sources = await readSources('apps/web/src/**/*.{ts,tsx}')
  const ofPages = [...sources].filter(([path]) => !/\.test\.tsx?$|\/test-support\//.test(path))
  const texts = ofPages.map(([, source]) => source)
  return new Set(
    texts.flatMap((text) =>
      [...text.matchAll(/\bcalls\s*\.\s*(\w+)\s*\.\s*(\w+)/g)].map(
        ([, group, member]) => `${group}.${member}`,
      ),
    ),
  )
}

import type { z } from 'zod'
import { contractCalls } from '../../../packages/api/src/test-support/call-of.ts'
import { writtenFields } from '../../../packages/api/src/test-support/written-fields.ts'

type Reasons = Readonly<Record<string, string>>

/** Fields that mean the same in every body: none of them is a field of a record. */
const everywhere: Reasons = {
  id: 'names the record',
  ids: 'names the records',
  base: 'what the edit was made on',
  times_base: 'what the edit was made on',
  confirmation: 'answers a question',
  moves: 'answers a question',
}

const identity = 'bound by its owner alone, with a proof; refused where it differs'
const ownProof = 'a proof of whose it is: stored nowhere'
const storesNothing = 'the call stores nothing'
const names = 'names the record'
const statusPage = 'stands on the status page, whose every field console/health reads back'

/** Whole calls, or single fields of them, that write no field of a record that is read back. */
const reasons: Reasons = {
  'setup.run': 'runs once, before there is anything to read: operation/start-up',
  'accounts.register': 'opens an account without a session: accounts/registration',
  'accounts.resetPassword': 'sets a password, which is never read: accounts/registration',
  'accounts.updateSelf password': 'never read back: pages/personal',
  'accounts.updateSelf original_password': ownProof,
  'accounts.transferInvitationQuota': 'moves money: billing/own-balance',
  'accounts.confirmChatHost': 'adds to a list: console/ownership',
  'accounts.saveNotificationSetting webhook_url': 'a secret: that it is set is read, accounts/notifications',
  'accounts.saveNotificationSetting webhook_secret':
    'a secret: that it is set is read, accounts/notifications',
  'accounts.saveNotificationSetting notification_email': 'needs a mailed proof: accounts/notifications',
  'accounts.saveNotificationSetting verification_code': ownProof,
  'users.login': ownProof,
  'oauth.githubPost': ownProof,
  'oauth.oidcPost': ownProof,
  'oauth.linuxdoPost': ownProof,
  'oauth.wechatPost': ownProof,
  'oauth.wechatBindPost': ownProof,
  'oauth.emailBindPost': 'binds an address, with a mailed proof: pages/bindings',
  'secondFactor.confirm': ownProof,
  'secondFactor.disable': ownProof,
  'secondFactor.renewRecoveryCodes': ownProof,
  'secondFactor.login': ownProof,
  'passkeys.login': ownProof,
  ...Object.fromEntries(
    ['id', 'rawId', 'type', 'response', 'clientExtensionResults'].map((name) => [
      `passkeys.register credential.${name}`,
      ownProof,
    ]),
  ),
  'proofs.byPassword': ownProof,
  'proofs.byCode': ownProof,
  'proofs.byPasskey': ownProof,
  'proofs.byWechat': ownProof,
  'proofs.byCodeProvider': ownProof,
  'userAdmin.update quota_change': 'moves the balance, which is walked as quota',
  'userAdmin.update reason': 'stands in the user’s log: accounts/user-administration',
  'userAdmin.update role': 'refused where it differs: the acts of manage change it',
  'userAdmin.update status': 'refused where it differs: the acts of manage change it',
  'userAdmin.update aff_code': 'refused where it differs',
  'userAdmin.update inviter_id': 'refused where it differs',
  'userAdmin.manage username': names,
  'userAdmin.closedIdentities': storesNothing,
  'invitations.create':
    'stands in the list of open ones until it is taken: http/console/accounts/invitations.test.ts',
  'invitations.look': storesNothing,
  'pricing.job': storesNothing,
  'statusPage.create': statusPage,
  'statusPage.update': statusPage,
  'statusPage.addUpdate': statusPage,
  'incidents.accept': 'stands at the incident, whose two fields console/health reads back',
  'invitations.accept': 'opens an account without a session: http/console/accounts/invitations.test.ts',
  'userAdmin.previewMany': storesNothing,
  'userAdmin.changeMany':
    'many users at once, with fields that userAdmin.update walks: user-admin-routes.test.ts',
  'userAdmin.merge': 'an act on two accounts: accounts/user-administration',
  'tokens.rotate': 'an act on the text of a key: http/console/accounts/token-routes',
  'keys.findOwn': storesNothing,
  'keys.find': storesNothing,
  'keys.freeze note': 'its owner reads it in the key: http/console/accounts/token-routes',
  'options.set entries': 'entries of each map are walked by console/edits',
  'options.setMany': 'the same as options.set, several at once: console/options',
  'groups.create': 'entries of options, which are walked as such: settings/manage-groups.test.ts',
  'groups.update': 'entries of options, which are walked as such: settings/manage-groups.test.ts',
  'groups.rename': 'an act on every place of a name: settings/manage-groups.test.ts, console/consequences',
  'groups.remove': names,
  'options.testMail': storesNothing,
  'options.readOidcDocument': storesNothing,
  'channels.create mode': 'one channel or several: console/channels',
  'channels.previewMany': storesNothing,
  'channels.stops': storesNothing,
  'channels.updateMany models.mode': 'how names meet those that are there: channels/manage/change-many',
  'channels.updateMany group.mode': 'how names meet those that are there: channels/manage/change-many',
  'channels.updateTag tag': names,
  'channels.enableTag': names,
  'channels.disableTag': names,
  'channels.testDraft': storesNothing,
  'channels.fetchModelsForNew': storesNothing,
  'channels.changeKey': 'changes one of several keys: channels/manage/change-key',
  'channels.drain': 'an act, which channels/manage/drain-channel and console/consequences follow to its end',
  'channels.scheduleKey': 'two times of a key, which channels/manage/schedule-key reads back and sees come',
  'channels.schedule': 'two times, which console/channels reads back and sees come',
  'channels.addKeys': 'adds to the keys, which no reader has: channels/manage/change-key',
  'routes.whatIf': storesNothing,
  'modelPrices.save model_name': names,
  'modelNames.preview': storesNothing,
  'modelNames.rename': 'an act on every place of a name: channels/manage and settings tests',
  'corrections.preview': storesNothing,
  'corrections.apply price.call': 'beside it no other price counts: billing/corrections',
  'redemptions.create count': 'how many are made: billing/top-up',
  'wallet.redeem': 'spends a code: billing/top-up',
  'wallet.amount': storesNothing,
  'wallet.pay top_up_code': 'sent by such consoles, without effect',
  'chargeLinks.create': 'names what a link shows: http/console/wallet/explained.test.ts',
  'chargeLinks.createSelf': 'names what a link shows: http/console/wallet/explained.test.ts',
  'goodwill.give': 'moves money: http/console/wallet/explained.test.ts',
  'goodwill.takeBack': names,
  'wallet.resume': names,
  'wallet.cancel': names,
  'topUpOrders.complete': 'an act on an order: http/console/wallet/order-acts.test.ts',
  'topUpOrders.refund': 'an act on an order: http/console/wallet/order-acts.test.ts',
  'topUpOrders.cancel': 'an act on an order: http/console/wallet/order-acts.test.ts',
  ...Object.fromEntries(
    ['accounts.updateSelf', 'userAdmin.create', 'userAdmin.update'].flatMap((call) =>
      ['email', 'github_id', 'oidc_id', 'wechat_id', 'telegram_id', 'linux_do_id'].map((name) => [
        `${call} ${name}`,
        identity,
      ]),
    ),
  ),
}

/** Fields that no walk writes and no reason excuses, and reasons of fields that are walked or gone. */
export function unwalkedFields(
  walked: ReadonlySet<string>,
  excuses: Reasons = reasons,
  all = writtenBodies(),
) {
  const used = new Set<string>()
  const missing = all.flatMap(({ call, path }) => {
    const own = [`${call} ${path}`, call].find((name) => Object.hasOwn(excuses, name))
    if (own !== undefined && !walked.has(`${call} ${path}`)) used.add(own)
    const head = path.split(/[.[]/)[0] ?? ''
    if (own !== undefined || Object.hasOwn(everywhere, head) || walked.has(`${call} ${path}`)) return []
    return [`${call}.${path}: no walk writes it; tests/support/fields/walks.ts`]
  })
  const stale = Object.keys(excuses).filter((name) => !used.has(name))
  return [
    ...missing,
    ...stale.map((name) => `${name}: a reason for nothing; tests/support/fields/unwalked.ts`),
  ]
}

/** Every field of every body of the contract. */
function writtenBodies(): readonly { readonly call: string; readonly path: string }[] {
  return contractCalls.flatMap(({ name, call }) =>
    call.body === undefined
      ? []
      : writtenFields(call.body as z.ZodType).map(({ path }) => ({ call: name, path })),
  )
}

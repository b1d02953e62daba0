import { channels } from './kinds/channels.ts'
import { codes } from './kinds/codes.ts'
import { logs } from './kinds/logs.ts'
import { options } from './kinds/options.ts'
import { orders } from './kinds/orders.ts'
import { tokens } from './kinds/tokens.ts'
import { users } from './kinds/users.ts'

/** Every kind of rows that several calls write. */
export const kinds = [options, logs, channels, users, tokens, codes, orders] as const

/** Reasons for calls that act to have no pair, with the calls. */
const reasons: readonly (readonly [reason: string, calls: string])[] = [
  ['once in the life of an installation; its row has one winner', 'setup.run'],
  [
    'adds a row of its own, which no other call knows yet',
    `accounts.register userAdmin.create channels.create redemptions.create wallet.pay chargeLinks.create chargeLinks.createSelf passkeys.registerOptions passkeys.register
    invitations.create
    passkeys.loginOptions proofs.passkeyOptions secondFactor.begin oauth.state oauth.start`,
  ],
  [
    'needs a mail, a provider, a device or its code, each good once; the suites of accounts send them side by side',
    `accounts.sendVerificationCode accounts.requestPasswordReset accounts.resetPassword users.login users.logout
    oauth.github oauth.githubPost oauth.oidc oauth.oidcPost oauth.linuxdo oauth.linuxdoPost oauth.wechat oauth.wechatPost
    oauth.wechatBind oauth.wechatBindPost oauth.emailBind oauth.emailBindPost oauth.telegramLogin oauth.telegramLoginPost
    oauth.telegramBind oauth.telegramBindPost secondFactor.confirm secondFactor.disable secondFactor.renewRecoveryCodes
    secondFactor.login passkeys.login proofs.byPassword proofs.byCode proofs.byPasskey proofs.byWechat proofs.byTelegram
    proofs.byCodeProvider`,
  ],
  [
    'needs the notice that a provider signs; billing/top-up sends it many times at once',
    'payments.epayNotify payments.epayNotifyForm payments.stripeWebhook',
  ],
  [
    'root alone makes it, on accounts that it locks first; http/console/admin-parts.test.ts sends two at once',
    'userAdmin.setParts userAdmin.passRoot userAdmin.merge',
  ],
  [
    'is of the caller’s own pending order; http/console/wallet/order-acts.test.ts sends them beside the provider’s',
    'wallet.resume wallet.cancel',
  ],
  [
    'is of one row that a conditional write changes; http/console/wallet/explained.test.ts sends them side by side',
    'chargeLinks.revoke chargeLinks.revokeSelf goodwill.give goodwill.takeBack',
  ],
  ['has a row of its own for each session, which no other call writes', 'userAdmin.view userAdmin.endView'],
  ['is accounts.createAccessToken by GET', 'accounts.createAccessTokenByGet'],
  [
    'changes no row but the audit log',
    `accounts.inviteCode options.testMail options.readOidcDocument channels.testDraft channels.fetchModelsForNew
    channels.fetchModels channels.revealKeys tokens.reveal tokens.revealOne tokens.revealBatch logs.export topUpOrders.export userAdmin.export installation.export
    usageData.exportSpend statements.export securityEvents.export release.latest`,
  ],
  [
    'starts or ends a run that one node at a time has by its lease',
    'channels.testAll channels.cancelTest channels.updateAllBalances channels.cancelBalances',
  ],
  [
    'ends former texts of a key under its lock; http/console/accounts/token-routes has it',
    'tokens.endFormerKeys',
  ],
  [
    'freezes keys that are not frozen, each by a conditional write; http/console/accounts/token-routes.test.ts has it',
    'keys.reportLeaks',
  ],
  ['writes what it measured, in columns of its own', 'channels.test channels.updateBalance'],
  ['changes charges, one run at a time by its lease', 'corrections.apply corrections.takeBack'],
  ['locks its incident, and the last of two at once is in force', 'incidents.accept incidents.wake'],
  [
    'locks its published incident before it reads what it changes; one cause is published once by its index',
    'statusPage.create statusPage.update statusPage.addUpdate statusPage.publish statusPage.unpublish',
  ],
  ['locks every channel and the options before it reads them', 'modelNames.rename'],
  [
    'changes entries of options under their lock, as options.set does',
    'groups.create groups.update groups.rename groups.remove',
  ],
  ['has one winner, who removes the row that both read', 'invitations.revoke invitations.accept'],
  ['locks its users before it compares them with its preview', 'userAdmin.changeMany'],
]

/** Calls that act, and why no pair has them. */
export const withoutPairs: ReadonlyMap<string, string> = new Map(
  reasons.flatMap(([reason, calls]) => calls.split(/\s+/).map((call) => [call, reason] as const)),
)

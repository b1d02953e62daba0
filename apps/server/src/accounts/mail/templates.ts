import type { Language, SecurityAlert } from '@tollgate/api'
import { Html, html } from './html.ts'

/** A message to one person, in their language. */
export interface Message {
  readonly subject: string
  readonly html: string
}

/** Facts that every message may name. */
export interface MessageFacts {
  /** Name of the installation. */
  readonly systemName: string
  readonly language: Language
}

/** One template: a subject and paragraphs, in both languages. */
export type Wording = Readonly<
  Record<Language, { readonly subject: string; readonly paragraphs: readonly Html[] }>
>

function messageOf({ language }: Pick<MessageFacts, 'language'>, wording: Wording): Message {
  const { subject, paragraphs } = wording[language]
  const body = new Html(paragraphs.map((paragraph) => html`<p>${paragraph}</p>`.text).join('\n'))
  const page = html`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><title>${subject}</title></head>
<body style="font-family: sans-serif; line-height: 1.5; max-width: 36em">
${body}
</body>
</html>
`
  return { subject, html: page.text }
}

interface Facts extends MessageFacts {
  readonly code: string
  readonly minutes: number
}

/** Proves that a person reads the mail of the address. */
export function verificationCodeMessage({ systemName, code, minutes, language }: Facts): Message {
  const visible = html`<strong style="font-size: 1.5em; letter-spacing: 0.15em">${code}</strong>`
  return messageOf(
    { language },
    {
      en: {
        subject: `${systemName}: your verification code`,
        paragraphs: [
          html`Hello,`,
          html`this code proves to ${systemName} that the address is yours:`,
          visible,
          html`It is good for ${minutes} minutes, and once. If you did not ask for it, ignore this mail.`,
        ],
      },
      zh: {
        subject: `${systemName}邮箱验证邮件`,
        paragraphs: [
          html`您好，`,
          html`您正在进行 ${systemName} 邮箱验证，验证码为：`,
          visible,
          html`验证码 ${minutes} 分钟内有效，仅可使用一次。如果不是本人操作，请忽略本邮件。`,
        ],
      },
    },
  )
}

/** Writes to the owner of an address that was entered for another account. The response to that request does not show it. */
export function addressInUseMessage({ systemName, language }: MessageFacts): Message {
  return messageOf(
    { language },
    {
      en: {
        subject: `${systemName}: your address belongs to an account already`,
        paragraphs: [
          html`Hello,`,
          html`somebody, perhaps you, asked ${systemName} for a verification code for this address. It belongs to an
account already, so there is no code: one address is for one account.`,
          html`If it is yours, log in, or have your password reset. If it was deleted, ask the administrator.`,
          html`If you did not ask for a code, ignore this mail.`,
        ],
      },
      zh: {
        subject: `${systemName}：您的邮箱地址已被占用`,
        paragraphs: [
          html`您好，`,
          html`有人（可能是您本人）在 ${systemName} 请求向此邮箱发送验证码。该邮箱已属于一个账户，因此不会发送验证码：一个邮箱只能用于一个账户。`,
          html`如果这是您的账户，请直接登录或重置密码；如果账户已注销，请联系管理员。`,
          html`如果不是本人操作，请忽略本邮件。`,
        ],
      },
    },
  )
}

interface InvitationFacts extends MessageFacts {
  readonly link: string
  /** Name of the inviter. */
  readonly inviter: string
  readonly days: number
}

/** Invites somebody to open an account. */
export function invitationMessage({ systemName, link, inviter, days, language }: InvitationFacts): Message {
  const anchor = html`<a href="${link}">${link}</a>`
  return messageOf(
    { language },
    {
      en: {
        subject: `${systemName}: ${inviter} invites you`,
        paragraphs: [
          html`Hello,`,
          html`${inviter} invites you to ${systemName}. Open your account here:`,
          anchor,
          html`The link is good for ${days} days, and once. If you do not know ${inviter}, ignore this mail.`,
        ],
      },
      zh: {
        subject: `${systemName}：${inviter} 邀请您加入`,
        paragraphs: [
          html`您好，`,
          html`${inviter} 邀请您加入 ${systemName}，请打开以下链接注册账户：`,
          anchor,
          html`链接 ${days} 天内有效，仅可使用一次。如果您不认识 ${inviter}，请忽略本邮件。`,
        ],
      },
    },
  )
}

/** Writes to the operator, to confirm that mail arrives. */
export function testMailMessage({ systemName, language }: MessageFacts): Message {
  return messageOf(
    { language },
    {
      en: {
        subject: `${systemName}: test mail`,
        paragraphs: [html`Hello,`, html`${systemName} can send mail: this is the test that you asked for.`],
      },
      zh: {
        subject: `${systemName}：测试邮件`,
        paragraphs: [html`您好，`, html`${systemName} 可以发送邮件：这是您请求的测试邮件。`],
      },
    },
  )
}

interface ResetFacts extends MessageFacts {
  readonly link: string
  readonly username: string
  readonly minutes: number
}

export function passwordResetMessage({ systemName, link, username, minutes, language }: ResetFacts): Message {
  const anchor = html`<a href="${link}">${link}</a>`
  return messageOf(
    { language },
    {
      en: {
        subject: `${systemName}: reset your password`,
        paragraphs: [
          html`Hello,`,
          html`somebody, perhaps you, asked ${systemName} for a new password for the account ${username}. This link sets
one:`,
          anchor,
          html`It is good for ${minutes} minutes, and once. If you did not ask for it, ignore this mail: your password
stays as it is.`,
        ],
      },
      zh: {
        subject: `${systemName}密码重置`,
        paragraphs: [
          html`您好，`,
          html`您正在为账户 ${username} 重置 ${systemName} 的密码，请点击以下链接：`,
          anchor,
          html`链接 ${minutes} 分钟内有效，仅可使用一次。如果不是本人操作，请忽略本邮件，您的密码不会改变。`,
        ],
      },
    },
  )
}

interface AlertFacts extends MessageFacts {
  readonly username: string
  readonly notice: SecurityAlert
  /** Time of the change, as ISO 8601. */
  readonly at: string
  /** The network address of the change. */
  readonly address: string
}

const changes: Readonly<Record<SecurityAlert, Readonly<Record<Language, string>>>> = {
  email: { en: 'The e-mail address was changed', zh: '邮箱地址已更改' },
  password: { en: 'The password was changed', zh: '密码已更改' },
  'second-factor-on': { en: 'Two-factor authentication was switched on', zh: '两步验证已启用' },
  'second-factor-off': { en: 'Two-factor authentication was switched off', zh: '两步验证已停用' },
  'recovery-codes': { en: 'New recovery codes were made', zh: '已生成新的恢复代码' },
  'passkey-added': { en: 'A passkey was added', zh: '已添加通行密钥' },
  'passkey-removed': { en: 'A passkey was removed', zh: '已删除通行密钥' },
  'identity-bound': { en: 'An account at another provider was bound', zh: '已绑定第三方账户' },
  'binding-removed': {
    en: 'A bound account or the e-mail address was removed',
    zh: '已解除第三方账户或邮箱的绑定',
  },
  'access-token': { en: 'A new system access token was made', zh: '已生成新的系统访问令牌' },
}

/** Writes to the owner of an account, at the address from before the change. It has no link: such mails are imitated. */
export function securityAlertMessage({
  systemName,
  username,
  notice,
  at,
  address,
  language,
}: AlertFacts): Message {
  const change = changes[notice]
  return messageOf(
    { language },
    {
      en: {
        subject: `${systemName}: ${change.en}`,
        paragraphs: [
          html`Hello,`,
          html`this is about your account ${username} at ${systemName}. ${change.en}, at ${at}, from the address ${address}.`,
          html`If it was you, there is nothing to do. If not, set a new password, which ends all other sessions and the system
access token, look through your bindings and passkeys, and tell the administrator.`,
        ],
      },
      zh: {
        subject: `${systemName}：${change.zh}`,
        paragraphs: [
          html`您好，`,
          html`您在 ${systemName} 的账户 ${username} 有变更：${change.zh}。时间：${at}，来源地址：${address}。`,
          html`如果是本人操作，请忽略本邮件。如果不是，请立即修改密码（其他会话和系统访问令牌将随之失效），检查绑定的账户和通行密钥，并联系管理员。`,
        ],
      },
    },
  )
}

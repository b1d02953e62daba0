import { expect, it } from 'bun:test'
import { smtpOptions } from './mailer.ts'

const settings = {
  SMTPServer: 'smtp.example.com',
  SMTPPort: 587,
  SMTPAccount: 'ann@example.com',
  SMTPToken: 'hush',
  SMTPFrom: '',
  SMTPSSLEnabled: false,
}

it('encrypts from the first byte on port 465 or by the setting, and otherwise before it logs in', () => {
  expect(smtpOptions(settings)).toMatchObject({ secure: false, requireTLS: true })
  expect(smtpOptions({ ...settings, SMTPPort: 465 })).toMatchObject({ secure: true })
  expect(smtpOptions({ ...settings, SMTPSSLEnabled: true })).toMatchObject({ secure: true })
  expect(smtpOptions({ ...settings, SMTPToken: '' })).toMatchObject({ secure: false, requireTLS: false })
})

it('uses LOGIN where nothing else works', () => {
  const methodOf = (change: object) => smtpOptions({ ...settings, ...change }).authMethod
  expect(methodOf({})).toBeUndefined()
  expect(methodOf({ SMTPAccount: 'ann@outlook.com' })).toBe('LOGIN')
  expect(methodOf({ SMTPServer: 'smtp.azurecomm.net' })).toBe('LOGIN')
})

it('never waits for a server without a limit', () => {
  const { connectionTimeout, greetingTimeout, socketTimeout, dnsTimeout } = smtpOptions(settings)
  for (const limit of [connectionTimeout, greetingTimeout, socketTimeout, dnsTimeout])
    expect(limit).toBeLessThanOrEqual(20_000)
})

import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useUser } from '../../lib/session.ts'
import { useStatus } from '../../lib/status.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Input, PasswordInput } from '../ui/input.tsx'

interface SecretFormProps {
  readonly kind: 'password' | 'code' | 'wechat'
  readonly onSubmit: (secret: string) => void
  readonly isPending: boolean
  readonly error: string | undefined
}

/** One secret that says who somebody is: the password, a code, or what WeChat answered. */
export function SecretForm({ kind, onSubmit, isPending, error }: SecretFormProps) {
  const { t } = useTranslation(['login', 'stepUp'])
  const username = useUser()?.username ?? ''
  const picture = useStatus()?.wechat_qrcode
  const [secret, setSecret] = useState('')
  const isPassword = kind === 'password'
  const hints = { password: username, code: t('codeHint'), wechat: t('wechat.hint') } as const
  const control = {
    value: secret,
    onChange: (event: { readonly target: { readonly value: string } }) => setSecret(event.target.value),
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    event.stopPropagation()
    if (secret !== '') onSubmit(isPassword ? secret : secret.trim())
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      {/* Password managers look for the name beside the password. */}
      {isPassword && <input type="hidden" name="username" autoComplete="username" value={username} />}
      {kind === 'wechat' && picture && (
        <img src={picture} alt={t('wechat.picture')} className="mx-auto max-h-56 rounded border bg-white" />
      )}
      <Field label={t(isPassword ? 'password' : 'code')} hint={hints[kind]} error={error}>
        {isPassword ? (
          <PasswordInput name="password" autoComplete="current-password" {...control} />
        ) : (
          <Input name="code" autoComplete="one-time-code" autoCapitalize="none" {...control} />
        )}
      </Field>
      <Button type="submit" variant="primary" loading={isPending} className="w-full">
        {t('stepUp:submit')}
      </Button>
    </form>
  )
}

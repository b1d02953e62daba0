import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { KeyValue } from '../../../components/ui/card.tsx'
import { CopyText } from '../../../components/ui/copy.tsx'
import { Notice } from '../../../components/ui/tag.tsx'
import { fieldName } from '../model/texts.ts'
import { useSettings } from '../settings-context.ts'

const callbacks = { github: '/oauth/github', oidc: '/oauth/oidc', linuxdo: '/oauth/linuxdo' } as const
export type SignInProvider = keyof typeof callbacks | 'wechat' | 'telegram'

/** What has to be told to the provider of a sign-in, with this gateway's addresses to copy. */
export function SignInAddresses({ provider }: { readonly provider: SignInProvider }) {
  const { t } = useTranslation('settings')
  const { form } = useSettings()
  const typed = (useWatch({ control: form.control, name: fieldName('ServerAddress') }) ?? '').trim()
  const address = (URL.canParse(typed) ? typed : window.location.origin).replace(/\/+$/, '')
  const home = { label: t('signIn.home'), value: <CopyText value={address} /> }
  return (
    <Notice tone="info">
      <p>{t(`signIn.${provider}`)}</p>
      {provider !== 'wechat' && (
        <KeyValue
          className="mt-2 text-text"
          items={
            provider === 'telegram'
              ? [home, { label: t('signIn.domain'), value: <CopyText value={new URL(address).hostname} /> }]
              : [
                  home,
                  { label: t('signIn.callback'), value: <CopyText value={address + callbacks[provider]} /> },
                ]
          }
        />
      )}
      {provider === 'wechat' && <KeyValue className="mt-2 text-text" items={[home]} />}
      {typed === '' && <p className="mt-1 text-muted text-xs">{t('signIn.noAddress')}</p>}
    </Notice>
  )
}

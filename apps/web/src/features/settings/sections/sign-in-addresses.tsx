import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { KeyValue } from '../../../components/ui/card.tsx'
import { CopyText } from '../../../components/ui/copy.tsx'
import { Notice } from '../../../components/ui/tag.tsx'
import { fieldName } from '../model/texts.ts'
import { useSettings } from '../settings-context.ts'

/** Providers that send the browser back to this gateway. */
const callbacks = { github: true, oidc: true, linuxdo: true } as const
type SignInProvider = keyof typeof callbacks | 'wechat' | 'telegram'

/** Shows the values that the operator registers at a sign-in provider, with this gateway's addresses to copy. */
export function SignInAddresses({ provider }: { readonly provider: SignInProvider }) {
  const { t } = useTranslation('settings')
  const { form } = useSettings()
  const typed = (useWatch({ control: form.control, name: fieldName('ServerAddress') }) ?? '').trim()
  const address = (URL.canParse(typed) ? typed : window.location.origin).replace(/\/+$/, '')
  return (
    <Notice tone="info">
      <p>{t(`signIn.${provider}`)}</p>
      <KeyValue
        className="mt-2 text-text"
        items={[
          { label: t('signIn.home'), value: <CopyText value={address} /> },
          provider === 'telegram' && {
            label: t('signIn.domain'),
            value: <CopyText value={new URL(address).hostname} />,
          },
          provider in callbacks && {
            label: t('signIn.callback'),
            value: <CopyText value={`${address}/oauth/${provider}`} />,
          },
        ]}
      />
      {typed === '' && <p className="mt-1 text-muted text-xs">{t('signIn.noAddress')}</p>}
    </Notice>
  )
}

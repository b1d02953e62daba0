import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../components/ui/button.tsx'
import { toast } from '../../../lib/toast.ts'
import { readOidcDocument } from '../api.ts'
import { fieldName } from '../model/texts.ts'
import { useSettings } from '../settings-context.ts'

const wellKnown = fieldName('oidc.well_known')

/** Reads the provider's document and fills its addresses in; saving stays with whoever looks at them. */
export function OidcEndpoints() {
  const { t } = useTranslation('settings')
  const { form } = useSettings()
  const fetching = useMutation({
    mutationFn: readOidcDocument,
    onSuccess(found) {
      const fields = {
        'oidc.authorization_endpoint': found.authorization_endpoint,
        'oidc.token_endpoint': found.token_endpoint,
        'oidc.user_info_endpoint': found.userinfo_endpoint,
      } as const
      for (const [key, address] of Object.entries(fields))
        form.setValue(fieldName(key as keyof typeof fields), address, {
          shouldDirty: true,
          shouldTouch: true,
        })
      toast.success(t('oidc.fetched'))
    },
    onError: (error) => form.setError(wellKnown, { type: 'server', message: error.message }),
    meta: { silent: true },
  })

  function start(): void {
    const url = (form.getValues(wellKnown) ?? '').trim()
    form.clearErrors(wellKnown)
    if (/^https?:\/\//i.test(url)) fetching.mutate(url)
    else form.setError(wellKnown, { type: 'rule', message: t('oidc.address') })
  }

  return (
    <Button icon={Download} loading={fetching.isPending} onClick={start}>
      {t('oidc.fetch')}
    </Button>
  )
}

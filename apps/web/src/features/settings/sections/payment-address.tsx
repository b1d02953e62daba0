import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Notice } from '../../../components/ui/tag.tsx'
import { fieldName } from '../model/texts.ts'
import { useSettings } from '../settings-context.ts'

/** Says what payments need before anything else, while it is missing. */
export function PaymentAddress() {
  const { t } = useTranslation('settings')
  const { form } = useSettings()
  const address = useWatch({ control: form.control, name: fieldName('ServerAddress') }) ?? ''
  return address.trim() === '' ? <Notice tone="warn">{t('payment.addressHint')}</Notice> : null
}

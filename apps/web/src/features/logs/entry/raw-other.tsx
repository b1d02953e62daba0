import { useTranslation } from 'react-i18next'
import { FormSection } from '../../../components/ui/card.tsx'
import { CodeBlock } from '../../../components/ui/copy.tsx'
import { prettyJson } from '../../../lib/format/json-text.ts'

/** The explanation as it is stored with the row, folded. */
export function RawOther({ text }: { readonly text: string }) {
  const { t } = useTranslation('logs')
  if (text === '') return null
  return (
    <FormSection id="log-raw" title={t('section.raw')} folded>
      <CodeBlock code={prettyJson(text)} label={t('entry.copyRaw')} />
    </FormSection>
  )
}

import { useTranslation } from 'react-i18next'

const known = ['zfb', 'wx', 'stripe'] as const

/** What people call a way to pay; one that a newer server may offer is called by its own word. */
export function useMethodName(): (method: string) => string {
  const { t } = useTranslation('wallet')
  return (method) => {
    const name = known.find((one) => one === method)
    return name ? t(`method.${name}`) : method
  }
}

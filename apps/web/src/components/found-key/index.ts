export { foundKeysKey, useFreezeKey } from './use-freeze-key.ts'
export { useOpenKey, useShowKey } from './use-open-key.ts'

/** Display of quota: the installation's choice, from the public status. */
export interface MoneyDisplay {
  /** Quota units that make one unit of currency. */
  readonly quotaPerUnit: number
  /** False: show plain quota, abbreviated. */
  readonly inCurrency: boolean
}

export const defaultMoneyDisplay: MoneyDisplay = { quotaPerUnit: 500_000, inCurrency: true }

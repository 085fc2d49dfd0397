/** Cash above this amount, in US dollars, is reported, added up over a business day. @see 31 CFR § 1010.311, § 1010.313 */
export const CTR_THRESHOLD_DOLLARS = 10_000;

/** Suspicious activity from this amount on, in US dollars, is reported. @see 31 CFR § 1020.320(a)(2) */
export const SAR_MINIMUM_DOLLARS = 5000;

/** Whether the page shows generated data: only in the development server, without W2V_SERVER. */
declare const __MOCK__: boolean;

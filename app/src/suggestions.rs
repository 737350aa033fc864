//! The questions that pages offer before the first message. A fresh installation answers each of them
//! in the first sentence.

/// On the page of a new conversation.
pub const CHAT: [&str; 5] = [
    "How is the cluster doing?",
    "Which VMs are stopped?",
    "Is any storage filling up?",
    "How warm is the NAS?",
    "What failed in the last day?",
];

/// Beside a chart.
pub const CHART: [&str; 4] = [
    "Mark the main support and resistance and the last swing's fibonacci.",
    "What moves the price in the next 24 hours?",
    "How are the large traders positioned?",
    "How have my trades gone?",
];

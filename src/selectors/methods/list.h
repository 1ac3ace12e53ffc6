// src/selectors/methods/list.h: all methods, in the order in which they are shown. A new one is a
// line here and a file beside it.
QS_METHOD(kQuickSelection)
QS_METHOD(kCover)
QS_METHOD(kWast)
QS_METHOD(kConcreteAutoencoder)
QS_METHOD(kAefs)
QS_METHOD(kFcae)
QS_METHOD(kLotteryTicket)
QS_METHOD(kLaplacianScore)
QS_METHOD(kMcfs)
QS_METHOD(kUdfs)
QS_METHOD(kVariance)
QS_METHOD(kRandom)
